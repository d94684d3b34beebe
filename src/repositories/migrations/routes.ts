import { Elysia } from 'elysia'
import { gate, operation, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { presentRepoRow, Repository } from '#repositories/repos/index.ts'
import { migrateRepo } from './migrate-repo.ts'
import { MigrateRepoOptions } from './schema.ts'

/** Imports of repositories from other servers. */
export function migrations(context: Context) {
  return new Elysia({ name: 'migrations' })
    .use(gate(context))
    .post('/repos/migrate', async ({ viewer, body }) => presentRepoRow(context, viewer, await migrateRepo(context, requireUser(viewer), body)), {
      signedIn: ['repository'],
      body: MigrateRepoOptions,
      response: { 201: Repository },
      detail: { ...operation('repoMigrate', 'Import a repository from another git server', 'repository'), errors: [409] },
    })
}
