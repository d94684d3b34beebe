/** Where a pull request's changes can be fetched from, whatever became of their branch. */
export function headRef(number: number): string {
  return `refs/pull/${number}/head`
}

/** Keeps what a pull request was before a forced push. */
export function versionRef(number: number, oid: string): string {
  return `refs/pull/${number}/versions/${oid}`
}

/** What merging it would come to. */
export function mergeRef(number: number): string {
  return `refs/pull/${number}/merge`
}
