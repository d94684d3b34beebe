/** An account whose rights a text uses when it closes issues in other repositories, with the limits of the account's token. Stored as JSON. */
export interface Acting {
  userId: number
  publicOnly?: true
  repoIds?: number[]
}
