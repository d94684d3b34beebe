/** An account as which texts act in other repositories, with the limits of its token. Stored as JSON. */
export interface Acting {
  userId: number
  publicOnly?: true
  repoIds?: number[]
}
