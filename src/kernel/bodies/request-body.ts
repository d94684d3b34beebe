import { Unauthorized } from '../errors.ts'

/** What a body must come to for the signature of its request to hold. */
export interface BodyDigest {
  hash: 'sha256' | 'sha512'
  value: Buffer
}

const digests = new WeakMap<Request, BodyDigest>()

/** Has whoever reads the request's body find out at its end whether it is the one that was signed. */
export function expectDigest(request: Request, digest: BodyDigest): void {
  digests.set(request, digest)
}

export function hasBody(request: Request): boolean {
  return request.body !== null
}

/** The one way to a request's body. Reading the last of a body that is not the signed one throws Unauthorized. */
export function bodyOf(request: Request): Request['body'] {
  const digest = digests.get(request)
  return digest && request.body ? request.body.pipeThrough(digestCheck(digest)) : request.body
}

function digestCheck({ hash, value }: BodyDigest): TransformStream<Uint8Array, Uint8Array> {
  const hasher = new Bun.CryptoHasher(hash)
  return new TransformStream({
    transform(chunk, controller) {
      hasher.update(chunk)
      controller.enqueue(chunk)
    },
    flush(controller) {
      if (!hasher.digest().equals(value)) controller.error(new Unauthorized('The request body does not match the digest that was signed.'))
    },
  })
}
