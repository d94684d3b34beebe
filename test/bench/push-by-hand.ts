import { gitEnvironment } from '../git.ts'
import { pkt } from './push-refs.ts'

interface Move {
  name: string
  old: string
  new: string
}

/** A push as git sends it, made beforehand. */
export class HandMade {
  readonly #body: Buffer<ArrayBuffer>
  readonly #name: string

  private constructor(body: Buffer<ArrayBuffer>, name: string) {
    this.#body = body
    this.#name = name
  }

  static async of(repository: string, { name, old, new: oid }: Move): Promise<HandMade> {
    const packer = Bun.spawn(['git', 'pack-objects', '--revs', '--thin', '--stdout', '--delta-base-offset', '-q'], {
      cwd: repository,
      env: gitEnvironment,
      stdin: new Blob([`${oid}\n^${old}\n`]),
      stdout: 'pipe',
    })
    const pack = await packer.stdout.bytes()
    const command = pkt(`${old} ${oid} ${name}\0 report-status side-band-64k object-format=sha1`)
    return new HandMade(Buffer.concat([command, Buffer.from('0000'), pack]), name)
  }

  /** Asks for the refs, as git does first, and pushes. @throws Error with the server's words when it is refused */
  async send(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    await (await fetch(`${url}/info/refs?service=git-receive-pack`, { headers })).bytes()
    const type = { 'Content-Type': 'application/x-git-receive-pack-request' }
    const answer = await (await fetch(`${url}/git-receive-pack`, { method: 'POST', headers: { ...headers, ...type }, body: this.#body })).text()
    if (!answer.includes(`ok ${this.#name}`)) throw new Error(`Cannot push: ${answer.slice(0, 200)}`)
  }
}
