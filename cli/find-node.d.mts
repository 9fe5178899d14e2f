export const NEEDED_MAJOR: number;
export function isNewEnough(): boolean;
export function findNode(): string;
