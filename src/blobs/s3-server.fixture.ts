/** As much of S3 as files need, in memory: what it was sent is what it has. Source: Amazon's "S3 API Reference". */
export interface S3Server extends Disposable {
  /** `host:port`. */
  endpoint: string
  /** By the path with the bucket in front. */
  objects: Map<string, Uint8Array<ArrayBuffer>>
  /** `METHOD path?query`, of every request. */
  requests: string[]
  /** Answers this instead, for as long as it is set; `never` answers nothing. */
  trouble: { status: number; code: string } | 'never' | undefined
}

export function s3Server(): S3Server {
  const objects: S3Server['objects'] = new Map()
  const uploads = new Map<string, Map<number, Uint8Array>>()
  const state: Pick<S3Server, 'objects' | 'requests' | 'trouble'> = { objects, requests: [], trouble: undefined }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 255, fetch: (request) => answer(request) })

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const key = decodeURIComponent(url.pathname)
    const body = await request.bytes()
    state.requests.push(`${request.method} ${key}${url.search}`)
    if (state.trouble === 'never') return new Promise(() => {})
    if (state.trouble) return failure(state.trouble.status, state.trouble.code)
    if (!/^AWS4-HMAC-SHA256 Credential=key\//.test(request.headers.get('authorization') ?? '')) return failure(403, 'AccessDenied')
    const upload = url.searchParams.get('uploadId') ?? ''
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const id = `upload-${uploads.size}`
      uploads.set(id, new Map())
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (request.method === 'PUT' && upload !== '') uploads.get(upload)?.set(Number(url.searchParams.get('partNumber')), body as Uint8Array<ArrayBuffer>)
    else if (request.method === 'PUT') objects.set(key, body as Uint8Array<ArrayBuffer>)
    else if (request.method === 'POST') objects.set(key, Buffer.concat([...(uploads.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part)))
    else if (request.method === 'DELETE') return remove(key, upload)
    else return url.searchParams.has('list-type') ? list(key, url.searchParams) : read(request, key)
    return xml('<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>', { ETag: '"e"' })
  }

  function remove(key: string, upload: string): Response {
    if (upload === '') objects.delete(key)
    else uploads.delete(upload)
    return new Response(null, { status: 204 })
  }

  function read({ method, headers }: Request, key: string): Response {
    const found = objects.get(key)
    if (!found) return failure(404, 'NoSuchKey')
    if (method === 'HEAD') return new Response(null, { headers: { 'Content-Length': String(found.length) } })
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? []
    if (from === undefined) return new Response(found)
    return new Response(found.subarray(Number(from), to ? Number(to) + 1 : undefined), { status: 206 })
  }

  function list(bucket: string, query: URLSearchParams): Response {
    const prefix = bucket + (query.get('prefix') ?? '')
    const after = bucket + (query.get('start-after') ?? '')
    const most = Number(query.get('max-keys') ?? 1000)
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const shown = keys.slice(0, most).map((key) => `<Contents><Key>${key.slice(bucket.length)}</Key><Size>1</Size></Contents>`)
    return xml(`<ListBucketResult><IsTruncated>${keys.length > most}</IsTruncated>${shown.join('')}</ListBucketResult>`)
  }

  return Object.assign(state, { endpoint: `127.0.0.1:${server.port}`, [Symbol.dispose]: () => void server.stop(true) })
}

function xml(text: string, headers: Record<string, string> = {}): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, { headers: { 'Content-Type': 'application/xml', ...headers } })
}

function failure(status: number, code: string): Response {
  return new Response(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, { status, headers: { 'Content-Type': 'application/xml' } })
}
