import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git, initBare } from '../../../test/git-fixture.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'

/** Paths and what lies there: content alone for a file of mode 100644, else mode and content. */
export type Files = Readonly<Record<string, string | Uint8Array | { mode: string; content: string }>>

/** A bare repository of two commits, the second on the first. Gone when disposed of. */
export class TwoTrees {
  readonly gitDir = mkdtempSync(join(tmpdir(), 'pf-trees-'))
  readonly from: Oid
  readonly to: Oid
  readonly store: DiskStore

  constructor(before: Files, after: Files) {
    initBare(this.gitDir)
    git(['fast-import', '--quiet'], { cwd: this.gitDir, stdin: Buffer.concat([commit(1, before), commit(2, after)]) })
    const asked = 'refs/heads/t1^{tree}\nrefs/heads/t2^{tree}\n'
    const [from, to] = git(['cat-file', '--batch-check=%(objectname)'], { cwd: this.gitDir, stdin: asked }).toString().trim().split('\n') as [Oid, Oid]
    this.from = from
    this.to = to
    this.store = DiskStore.open(this.gitDir)
  }

  /** What `git diff-tree` prints of the two trees, as latin1. */
  diff(...args: string[]): string {
    return git(['diff-tree', ...args, this.from, this.to], { cwd: this.gitDir }).toString('latin1')
  }

  [Symbol.dispose](): void {
    this.store.close()
    rmSync(this.gitDir, { recursive: true, force: true })
  }
}

function commit(number: number, files: Files): Buffer {
  const head = `commit refs/heads/t${number}\nmark :${number}\ncommitter A <a@example.org> 1000 +0000\ndata 1\nx\n${number > 1 ? 'from :1\n' : ''}deleteall\n`
  const parts = Object.entries(files).flatMap(([path, file]) => {
    const [mode, content] = typeof file === 'object' && 'mode' in file ? [file.mode, file.content] : ['100644', file]
    const name = `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
    if (mode === '160000') return [Buffer.from(`M ${mode} ${content} ${name}\n`)]
    const data = typeof content === 'string' ? Buffer.from(content) : content
    return [Buffer.from(`M ${mode} inline ${name}\ndata ${data.length}\n`), data, Buffer.from('\n')]
  })
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.from('\n')])
}
