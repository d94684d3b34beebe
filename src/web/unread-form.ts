import { MOST_SHOWN_AGAIN, paceOf } from '#access/index.ts'
import { readFormWithFiles } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { isForm } from '#kernel/bodies/form-body.ts'
import { fieldsSent, type Sent } from '#kernel/bodies/sent-form.ts'
import { streamBody } from '#kernel/http.ts'

const MAX_FIELDS = 300

/**
 * What was filled into a form that was refused before anybody read it: by the gate, or because what it is about is gone. Of what another site
 * sent nothing is read, and of files no more than what comes before the end of what is shown again.
 */
export async function readUnread(context: Pick<Context, 'authenticator' | 'config'>, request: Request): Promise<Sent | undefined> {
  const { authenticator, config } = context
  const type = request.headers.get('content-type') ?? ''
  if (request.bodyUsed || !isForm(type) || !authenticator.isOfOurs(request)) return undefined
  const most = authenticator.greetedViewerOf(request).user ? MOST_SHOWN_AGAIN : Math.min(MOST_SHOWN_AGAIN, config.api.MAX_ANONYMOUS_BODY_SIZE)
  try {
    const begun = new Request(request.url, { method: 'POST', headers: { 'content-type': type }, body: await beginningOf(request, most, context) })
    const limits = { fields: MAX_FIELDS, fieldBytes: most, files: MAX_FIELDS }
    // What has no end, or is no form, is told of by what was read of it.
    await readFormWithFiles(begun, paceOf(config), limits, drain).catch(() => {})
    return await fieldsSent(begun)
  } catch {
    return undefined
  }
}

async function beginningOf(request: Request, most: number, { config }: Pick<Context, 'config'>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of streamBody(request, paceOf(config))) {
    parts.push(part.subarray(0, most - size))
    size += part.length
    if (size >= most) break
  }
  return Buffer.concat(parts)
}

async function drain({ bytes }: { bytes: AsyncIterable<Uint8Array> }): Promise<void> {
  for await (const _ of bytes);
}
