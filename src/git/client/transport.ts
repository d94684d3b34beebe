/** HTTP requests to the repository of another server. The caller decides what may be reached and how long it waits. */
export interface GitTransport {
  /** @param path relative to the repository's URL: `/info/refs?service=git-upload-pack` */
  get(path: string, headers: Readonly<Record<string, string>>): Promise<RemoteResponse>
  post(path: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<RemoteResponse>
}

export interface RemoteResponse {
  status: number
  headers: Headers
  body: AsyncIterable<Uint8Array>
}
