/** One question to PAM. */
export interface PamJob {
  service: string
  user: string
  password: string
  /** Where service files are; absent: where the system has them. */
  directory?: string
}

/** `name` is what PAM calls the person in the end; its absence: the password is wrong, or the account is locked, expired or unknown. */
export interface PamAnswer {
  name?: string
  /** Why PAM cannot be asked at all. */
  trouble?: string
}
