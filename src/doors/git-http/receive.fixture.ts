import { SHA1 } from '#git/objects/oid.ts'
import type { Person, TestForge } from '../../../test/harness.ts'
import { idOf, PackBuilder } from '../../../test/pack-builder.ts'

export function pkt(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
}

export interface HandMadePush {
  commands: readonly string[]
  pack?: Uint8Array
  /** Happens when the push has been let in, and is not yet whole. */
  meanwhile?: () => unknown
  /** Happens when the commands have been read, and not yet all of the pack. */
  duringPack?: () => unknown
  /** Called for each piece that is sent after the pack, until it returns undefined. */
  nextPiece?: () => Uint8Array | undefined
}

/** Sends a push made by hand and answers the server's report. */
export async function push(forge: TestForge, as: Person, repository: string, made: HandMadePush): Promise<string> {
  return (await send(forge, as, repository, made)).text()
}

/** The same, with an answer that need not be waited for. */
export function send(forge: TestForge, as: Person, repository: string, { commands, pack, meanwhile, duringPack, nextPiece }: HandMadePush): Promise<Response> {
  const [first, ...others] = commands
  const steps: (() => Uint8Array | Promise<Uint8Array>)[] = [
    () => Buffer.from([`${first}\0report-status`, ...others].map(pkt).join('')),
    async () => {
      await meanwhile?.()
      return Buffer.from('0000')
    },
  ]
  if (pack) {
    steps.push(() => pack.subarray(0, 12))
    steps.push(async () => {
      await duringPack?.()
      return pack.subarray(12)
    })
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = steps.shift()
      const bytes = step ? await step() : nextPiece?.()
      if (bytes) controller.enqueue(bytes)
      else controller.close()
    },
  })
  const headers = { 'Content-Type': 'application/x-git-receive-pack-request', Authorization: `token ${as.token}` }
  return Promise.resolve(forge.app.handle(new Request(`http://localhost/${repository}/git-receive-pack`, { method: 'POST', headers, body })))
}

/** A commit of one file, as a pack. */
export function packedCommit(content: string, seconds = 1_700_000_000): { oid: string; pack: Uint8Array } {
  const blob = idOf('blob', content)
  const tree = Buffer.concat([Buffer.from('100644 file\0'), Buffer.from(blob, 'hex')])
  const commit = `tree ${idOf('tree', tree)}\nauthor A <a@example.org> 1700000000 +0000\ncommitter A <a@example.org> ${seconds} +0000\n\n${content}\n`
  const builder = new PackBuilder()
  builder.add('blob', content)
  builder.add('tree', tree)
  builder.add('commit', commit)
  return { oid: idOf('commit', commit), pack: builder.build() }
}

/** The command that creates a ref. */
export function create(name: string, oid: string): string {
  return `${SHA1.zero} ${oid} ${name}`
}
