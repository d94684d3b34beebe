import { Elysia } from 'elysia'
import { gate, operation, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { FileEdit } from '#git/edit/edit-files.ts'
import { decodeBase64 } from '#kernel/base64.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import { changeFiles } from './change-files.ts'
import {
  ApplyDiffPatchFileOptions,
  type ChangeFileOperation,
  ChangeFilesOptions,
  CreateFileOptions,
  DeleteFileOptions,
  FileDeleteResponse,
  FileResponse,
  FilesResponse,
  PathParams,
  UpdateFileOptions,
} from './schema.ts'

/** Files changed through the API, each request one commit. */
export function editing(context: Context) {
  return new Elysia({ name: 'contents.editing' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/contents',
      async ({ viewer, repo, body }) =>
        changeFiles(context, requireUser(viewer), repo, {
          change: { edits: await editsOf(body.files) },
          options: body,
          message: body.files.map(describe).join('\n'),
        }),
      {
        repo: 'code:read',
        params: RepoParams,
        bodyLimit: context.config.api.MAX_BODY_SIZE,
        body: ChangeFilesOptions,
        response: { 201: FilesResponse },
        detail: { ...operation('repoChangeFiles', 'Modify multiple files in a repository', 'repository'), errors: [409] },
      },
    )
    .post(
      '/repos/:owner/:repo/contents/*',
      async ({ viewer, repo, params, body }) => {
        const path = decodePath(params['*'])
        const edits = [{ operation: 'create' as const, path, data: await decode(body.content) }]
        return one(await changeFiles(context, requireUser(viewer), repo, { change: { edits }, options: body, message: `Add ${path}` }))
      },
      {
        repo: 'code:read',
        params: PathParams,
        bodyLimit: context.config.api.MAX_BODY_SIZE,
        body: CreateFileOptions,
        response: { 201: FileResponse },
        detail: { ...operation('repoCreateFile', 'Create a file in a repository', 'repository'), errors: [409] },
      },
    )
    .put(
      '/repos/:owner/:repo/contents/*',
      async ({ viewer, repo, params, body, set }) => {
        const path = decodePath(params['*'])
        const operation = body.sha || body.from_path ? 'update' : 'create'
        const edit: FileEdit = {
          operation,
          path,
          data: await decode(body.content),
          ...(body.sha ? { sha: body.sha } : {}),
          ...(body.from_path ? { fromPath: body.from_path } : {}),
        }
        const changed = await changeFiles(context, requireUser(viewer), repo, {
          change: { edits: [edit] },
          options: body,
          message: `${operation === 'create' ? 'Add' : 'Update'} ${path}`,
        })
        set.status = operation === 'create' ? 201 : 200
        return one(changed)
      },
      {
        repo: 'code:read',
        params: PathParams,
        bodyLimit: context.config.api.MAX_BODY_SIZE,
        body: UpdateFileOptions,
        response: { 200: FileResponse, 201: FileResponse },
        detail: {
          ...operation('repoUpdateFile', 'Update a file in a repository if SHA is set, or create the file if SHA is not set', 'repository'),
          errors: [409],
        },
      },
    )
    .delete(
      '/repos/:owner/:repo/contents/*',
      async ({ viewer, repo, params, body }) => {
        const path = decodePath(params['*'])
        const edits = [{ operation: 'delete' as const, path, sha: body.sha }]
        const { commit, verification } = await changeFiles(context, requireUser(viewer), repo, { change: { edits }, options: body, message: `Delete ${path}` })
        return { content: null, commit, verification }
      },
      {
        repo: 'code:read',
        params: PathParams,
        body: DeleteFileOptions,
        response: { 200: FileDeleteResponse },
        detail: { ...operation('repoDeleteFile', 'Delete a file in a repository', 'repository'), errors: [409] },
      },
    )
    .post(
      '/repos/:owner/:repo/diffpatch',
      async ({ viewer, repo, body }) => {
        const change = { patch: Buffer.from(body.content) }
        return one(await changeFiles(context, requireUser(viewer), repo, { change, options: body, message: 'apply-patch' }))
      },
      {
        repo: 'code:read',
        params: RepoParams,
        body: ApplyDiffPatchFileOptions,
        bodyLimit: context.config.api.MAX_BODY_SIZE,
        response: { 201: FileResponse },
        detail: { ...operation('repoApplyDiffPatch', 'Apply diff patch to repository', 'repository'), errors: [409] },
      },
    )
}

const one = ({ files, commit, verification }: FilesResponse): typeof FileResponse.static => ({ content: files[0] ?? null, commit, verification })

/** One after the other: what all of them hold is large. */
async function editsOf(files: readonly ChangeFileOperation[]): Promise<FileEdit[]> {
  const edits: FileEdit[] = []
  for (const file of files) edits.push(await editOf(file))
  return edits
}

async function editOf({ operation, path, content, sha, from_path: fromPath }: ChangeFileOperation): Promise<FileEdit> {
  return {
    operation,
    path,
    ...(content === undefined ? {} : { data: await decode(content) }),
    ...(sha ? { sha } : {}),
    ...(fromPath ? { fromPath } : {}),
  }
}

const verbs: Record<ChangeFileOperation['operation'], string> = { create: 'Add', update: 'Update', upload: 'Update', rename: 'Rename', delete: 'Delete' }

function describe({ operation, path, from_path: fromPath }: ChangeFileOperation): string {
  return operation === 'rename' && fromPath ? `Rename ${fromPath} to ${path}` : `${verbs[operation]} ${path}`
}

/** @throws Unprocessable when it is no base64 */
async function decode(content: string): Promise<Uint8Array> {
  const data = await decodeBase64(content)
  if (!data) throw new Unprocessable('[content]: expected base64')
  return data
}
