/** Runs a statement on the connection of the queue. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
