// `npm run dev` writes this file whenever the database changes.
export interface Database {
  public: {
    Tables: {
      todos: {
        Row: { created_at: string; id: number; is_done: boolean; owner_id: string; title: string };
        Insert: { created_at?: string; id?: never; is_done?: boolean; owner_id?: string; title: string };
        Update: { created_at?: string; id?: never; is_done?: boolean; owner_id?: string; title?: string };
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: Record<never, never>;
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
}
