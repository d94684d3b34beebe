import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git, gitIn } from '../../../test/git.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'

type Content = string | Uint8Array
export type SampleFiles = Record<string, Content | { mode: '100755' | '120000' | '160000'; data: Content }>

const commitMessage = '\n  A subject…\non two lines  \n\nThe body,\n\nwith paragraphs.\n'

/** A bare repository whose commits hold the files they are told to; removed when disposed of. */
export class SampleTrees {
  readonly gitDir = mkdtempSync(join(tmpdir(), 'pf-archive-'))
  readonly store: DiskStore
  #tip: Oid | undefined

  constructor() {
    gitIn(this.gitDir, 'init', '-q', '--bare', '.')
    gitIn(this.gitDir, 'config', 'fastimport.unpackLimit', '1')
    gitIn(this.gitDir, 'config', 'core.compression', '1')
    this.store = DiskStore.open(this.gitDir)
  }

  /** Commits `files` and nothing else on top of what there is. */
  async commit(files: SampleFiles): Promise<Oid> {
    const message = Buffer.from(commitMessage)
    const who = 'Zoë Quill <zoe@example.org> 1700000001 -0330'
    const parts: Content[] = [
      `commit refs/heads/main\nmark :1\nauthor ${who}\ncommitter Bob <bob@example.org> 1712345679 +0200\ndata ${message.length}\n`,
      message,
      '\n',
    ]
    parts.push(this.#tip === undefined ? '' : `from ${this.#tip}\n`, 'deleteall\n')
    for (const [path, file] of Object.entries(files)) {
      const { mode, data } = typeof file === 'object' && 'mode' in file ? file : { mode: '100644', data: file }
      if (mode === '160000') parts.push(`M 160000 ${data} "${path}"\n`)
      else parts.push(`M ${mode} inline "${path}"\ndata ${Buffer.from(data as string).length}\n`, data, '\n')
    }
    parts.push('get-mark :1\n')
    const oid = (await git(['fast-import', '--quiet', '--force'], {
      cwd: this.gitDir,
      input: Buffer.concat(parts.map((part) => Buffer.from(part as string))),
    })) as Oid
    this.#tip = oid
    this.store.refresh()
    return oid
  }

  /** What stock git archives, its abbreviations as long as ours. */
  async archive(...args: string[]): Promise<Uint8Array> {
    const child = Bun.spawn(['git', '-c', 'core.abbrev=10', 'archive', ...args], {
      cwd: this.gitDir,
      stdout: 'pipe',
      stderr: 'inherit',
      env: { ...process.env, TZ: 'UTC' },
    })
    const bytes = await child.stdout.bytes()
    if ((await child.exited) !== 0) throw new Error(`git archive ${args.join(' ')} failed`)
    return bytes
  }

  [Symbol.dispose](): void {
    this.store.close()
    rmSync(this.gitDir, { recursive: true, force: true })
  }
}
