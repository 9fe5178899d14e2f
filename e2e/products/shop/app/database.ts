/** Tables of the product, as `greenroom gen types` writes them. */
export interface Database {
  public: {
    Tables: {
      items: {
        Row: { id: number; owner: string; title: string };
        Insert: { title: string };
        Update: { title?: string };
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: Record<never, never>;
  };
}
