/** A person as their source tells of them, once it said that the password is right. */
export interface FoundPerson {
  /** What the source calls them. */
  loginName: string
  /** What an account should be called. */
  name: string
  email: string
  /** Absent where the source tells none. */
  fullName?: string
  /** Absent: the source does not say, and the flag is left alone. */
  isAdmin?: boolean
  isRestricted?: boolean
  /** Their SSH keys, as OpenSSH writes them; absent: the source has none to tell of. */
  keys?: readonly string[]
  /** A picture, as a file has it. */
  avatar?: Uint8Array
  /** Names of groups; absent: they were not looked up. */
  groups?: readonly string[]
}

/** A source cannot be asked: it is not reached, not as it was set up, or answers what is none. Its message is for the log and for administrators. */
export class SourceUnavailable extends Error {}
