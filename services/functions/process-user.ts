/** A user of the system that processes run as, by number; it needs no name. */
export interface ProcessUser {
  uid: number;
  gid: number;
}
