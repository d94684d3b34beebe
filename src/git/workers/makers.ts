import { applyPatch } from '../diff/apply-patch.ts'
import type { PatchLimits } from '../diff/parse-patch.ts'
import { type EditedFile, editFiles, type FileEdit } from '../edit/edit-files.ts'
import { editLines, type LineEdit } from '../edit/edit-lines.ts'
import { fillTemplate, type TemplateTerms } from '../edit/fill-template.ts'
import { dropNote, putNote } from '../edit/notes.ts'
import { putPatched } from '../edit/put-patched.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Ident } from '../objects/ident.ts'
import type { Oid } from '../objects/oid.ts'
import { type NewFile, Porcelain } from '../porcelain.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import type { Made } from './made.ts'
import { mergeMakers } from './merge-makers.ts'
import type { OpenRepo } from './open-repos.ts'

interface CommitOnTop {
  /** Undefined for a branch that is to begin with this commit. */
  parent: Oid | undefined
  author: Ident
  committer: Ident
  message: string
}

export interface CommitEdits extends CommitOnTop {
  edits: FileEdit[]
}

export interface CommitPatch extends CommitOnTop {
  patch: Uint8Array
  limits?: PatchLimits
}

export interface CommittedEdits {
  oid: Oid
  files: EditedFile[]
}

/**
 * What workers write on request, one function a kind of change. All goes into `scratch`, in front of the repository's
 * store, where nobody else sees it: see `makeObjects` in make-tasks.ts. Input and result are structured-cloned.
 */
export const makers = {
  ...mergeMakers,

  /** A commit without parents that holds `files`. */
  async firstCommit(scratch: ScratchStore, _repo: OpenRepo, { files, who, message }: { files: NewFile[]; who: Ident; message: string }): Promise<Made<Oid>> {
    const porcelain = new Porcelain(scratch)
    const oid = await porcelain.writeCommit({ tree: porcelain.writeFiles(files), parents: [], author: who, committer: who, message })
    return { tips: [oid], result: oid }
  },

  /** A commit without parents that holds what a template's tree becomes; says whether that is another one. */
  async templateCommit(
    scratch: ScratchStore,
    _repo: OpenRepo,
    { tree, terms, who, message }: { tree: Oid; terms: TemplateTerms; who: Ident; message: string },
  ): Promise<Made<{ oid: Oid; isFilled: boolean }>> {
    const filled = fillTemplate(scratch, tree, terms)
    const oid = await new Porcelain(scratch).writeCommit({ tree: filled, parents: [], author: who, committer: who, message })
    return { tips: [oid], result: { oid, isFilled: filled !== tree } }
  },

  /** A commit on top of `parent`, or the first one, with files changed. */
  async commitEdits(scratch: ScratchStore, _repo: OpenRepo, { parent, edits, author, committer, message }: CommitEdits): Promise<Made<CommittedEdits>> {
    const { tree, files } = editFiles(scratch, treeOf(scratch, parent), edits)
    const oid = await new Porcelain(scratch).writeCommit({ tree, parents: parent ? [parent] : [], author, committer, message })
    return { tips: [oid], result: { oid, files } }
  },

  /** The same with what a patch makes of the files. @throws GitError as `applyPatch` does */
  async commitPatch(scratch: ScratchStore, _repo: OpenRepo, { parent, patch, limits, author, committer, message }: CommitPatch): Promise<Made<CommittedEdits>> {
    const porcelain = new Porcelain(scratch)
    const root = treeOf(scratch, parent) ?? porcelain.writeTree([])
    const { tree, files } = putPatched(scratch, root, applyPatch(scratch, root, patch, limits))
    const oid = await porcelain.writeCommit({ tree, parents: parent ? [parent] : [], author, committer, message })
    return { tips: [oid], result: { oid, files } }
  },

  /** A commit on top of `parent` with lines of its files replaced. @throws GitError as `editLines` does */
  async commitLines(
    scratch: ScratchStore,
    _repo: OpenRepo,
    { parent, edits, author, committer, message }: CommitOnTop & { parent: Oid; edits: LineEdit[] },
  ): Promise<Made<Oid>> {
    const tree = editLines(scratch, treeOf(scratch, parent) as Oid, edits)
    const oid = await new Porcelain(scratch).writeCommit({ tree, parents: [parent], author, committer, message })
    return { tips: [oid], result: oid }
  },

  /** A commit on top of those of the notes, in which an object has this note; without a text, none. Undefined where there was none. */
  async note(
    scratch: ScratchStore,
    _repo: OpenRepo,
    { parent, of, text, who, message }: { parent: Oid | undefined; of: Oid; text: string | undefined; who: Ident; message: string },
  ): Promise<Made<Oid | undefined>> {
    const root = treeOf(scratch, parent)
    const tree = text !== undefined ? putNote(scratch, root, of, Buffer.from(text)) : root && dropNote(scratch, root, of)
    if (tree === undefined) return { tips: [], result: undefined }
    const oid = await new Porcelain(scratch).writeCommit({ tree, parents: parent ? [parent] : [], author: who, committer: who, message })
    return { tips: [oid], result: oid }
  },

  /** An annotated tag of a commit. */
  async annotatedTag(
    scratch: ScratchStore,
    _repo: OpenRepo,
    { target, name, tagger, message }: { target: Oid; name: string; tagger: Ident; message: string },
  ): Promise<Made<Oid>> {
    const oid = await new Porcelain(scratch).writeTag({ target, targetType: 'commit', name, tagger, message })
    return { tips: [oid], result: oid }
  },

  /** Nothing new: refs are to point to what is there already. */
  async nothing(_scratch: ScratchStore, _repo: OpenRepo, { tips }: { tips: Oid[] }): Promise<Made<undefined>> {
    return { tips, result: undefined }
  },
} satisfies Record<string, (scratch: ScratchStore, repo: OpenRepo, input: never) => Promise<Made<unknown>>>

function treeOf(scratch: ScratchStore, commit: Oid | undefined): Oid | undefined {
  return commit && parseCommit(scratch.get(commit, 'commit').data).tree
}

export type MakerName = keyof typeof makers
export type MakerInput<K extends MakerName> = Parameters<(typeof makers)[K]>[2]
export type MakerResult<K extends MakerName> = Awaited<ReturnType<(typeof makers)[K]>>['result']
