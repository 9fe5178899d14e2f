/** Runs a statement on the connection of the service. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
