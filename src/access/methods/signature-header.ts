import { Unauthorized } from '#kernel/errors.ts'
import { pathOf, queryOf } from '#kernel/http.ts'

/** What a signature says of itself. Source: draft-cavage-http-signatures-12, section 2.1. */
export interface SignatureParams {
  keyId: string
  algorithm: string
  /** Seconds since the epoch, as they stand in the text that is signed. */
  created: string | undefined
  expires: string | undefined
  /** Names of headers that are signed, in lower case, and what stands for parts of the request that are none. */
  covered: readonly string[]
  signature: Buffer
}

const MAX_COVERED = 50
const parameter = /([A-Za-z]+)=(?:"([^"]*)"|(\d{1,12}(?:\.\d{1,9})?))(?:,\s*|$)/y
const base64 = /^[A-Za-z0-9+/]+={0,2}$/
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
/** What `created` and `expires` may not be signed as, for they are in no header. */
const pseudo = ['(request-target)', '(created)', '(expires)']

/** @throws Unauthorized when it is malformed, or says something twice */
export function parseSignature(text: string): SignatureParams {
  const params = parametersIn(text)
  const covered = (params.get('headers') ?? '(created)').toLowerCase().split(' ')
  const value = params.get('signature') ?? ''
  const isKnown = (name: string) => pseudo.includes(name) || headerName.test(name)
  if (!params.has('keyId') || !base64.test(value)) throw malformed('keyId and signature are required')
  if (covered.length > MAX_COVERED || new Set(covered).size < covered.length || !covered.every(isKnown))
    throw malformed('the headers parameter is invalid or lists a header twice')
  return {
    keyId: params.get('keyId') as string,
    algorithm: (params.get('algorithm') ?? 'hs2019').toLowerCase(),
    created: params.get('created'),
    expires: params.get('expires'),
    covered,
    signature: Buffer.from(value, 'base64'),
  }
}

function parametersIn(text: string): Map<string, string> {
  const found = new Map<string, string>()
  parameter.lastIndex = 0
  while (parameter.lastIndex < text.length) {
    const [, name, quoted, number] = parameter.exec(text) ?? []
    if (name === undefined || found.has(name)) throw malformed('expected a list of name="value" parameters, each name once')
    found.set(name, quoted ?? number ?? '')
  }
  return found
}

/**
 * The texts that clients may have signed, the most exact one first; section 2.3. Go's clients sign the decoded path, and a proxy
 * may have taken the path of ROOT_URL away.
 * @throws Unauthorized when a header that should be signed is not there
 */
export function signingTexts(request: Request, params: SignatureParams, rootPath: string): string[] {
  const path = pathOf(request.url)
  const paths = [path, decoded(path)].flatMap((one) => [one, rootPath + one])
  return [...new Set(paths)].map((one) => signingText(request, params, `${request.method.toLowerCase()} ${one}${queryOf(request.url)}`))
}

function signingText({ headers }: Request, { covered, created, expires }: SignatureParams, target: string): string {
  const values: Record<string, string | undefined> = { '(request-target)': target, '(created)': created, '(expires)': expires }
  return covered
    .map((name) => {
      const value = name.startsWith('(') ? values[name] : headers.get(name)?.trim()
      if (value === undefined) throw malformed(`${name} is listed as signed, but the request does not have it`)
      return `${name}: ${value}`
    })
    .join('\n')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function malformed(reason: string): Unauthorized {
  return new Unauthorized(`Cannot verify the request signature: ${reason}`)
}
