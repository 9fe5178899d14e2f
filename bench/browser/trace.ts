export interface TraceEvent { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; cat?: string; args: Record<string, any> }
