import { Elysia } from 'elysia'
import { gate, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { apiVersion } from '#version.ts'
import { GeneralAPISettings, GeneralAttachmentSettings, GeneralRepoSettings, GeneralUISettings, ServerVersion } from './schema.ts'

const ui = { default_theme: 'gitea-auto', allowed_reactions: ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'], custom_emojis: [] }

/** Clients ask before they offer a thing; what this server does not do is told here. A slice that brings one takes its line away. */
const absent = {
  mirrors_disabled: true,
  migrations_disabled: true,
  time_tracking_disabled: true,
  lfs_disabled: true,
  forks_disabled: true,
}
const attachment = { enabled: false, allowed_types: '', max_size: 100, max_files: 5 }

export function misc(context: Context) {
  const { api } = context.config
  return new Elysia({ name: 'misc' })
    .use(gate(context))
    .get('/version', () => ({ version: apiVersion }), {
      anyone: [],
      response: { 200: ServerVersion },
      detail: operation('getVersion', 'Returns the version of the application', 'miscellaneous', 'settings'),
    })
    .get(
      '/settings/api',
      () => ({
        max_response_items: api.MAX_RESPONSE_ITEMS,
        default_paging_num: api.DEFAULT_PAGING_NUM,
        default_git_trees_per_page: api.DEFAULT_GIT_TREES_PER_PAGE,
        default_max_blob_size: api.DEFAULT_MAX_BLOB_SIZE,
        default_max_response_size: api.DEFAULT_MAX_RESPONSE_SIZE,
      }),
      {
        anyone: [],
        response: { 200: GeneralAPISettings },
        detail: operation('getGeneralAPISettings', "Get instance's global settings for api", 'miscellaneous', 'settings'),
      },
    )
    .get('/settings/ui', () => ui, {
      anyone: [],
      response: { 200: GeneralUISettings },
      detail: operation('getGeneralUISettings', "Get instance's global settings for ui", 'miscellaneous', 'settings'),
    })
    .get('/settings/repository', () => ({ ...absent, stars_disabled: false, http_git_disabled: context.config.repository.DISABLE_HTTP_GIT }), {
      anyone: [],
      response: { 200: GeneralRepoSettings },
      detail: operation('getGeneralRepositorySettings', "Get instance's global settings for repositories", 'miscellaneous', 'settings'),
    })
    .get('/settings/attachment', () => attachment, {
      anyone: [],
      response: { 200: GeneralAttachmentSettings },
      detail: operation('getGeneralAttachmentSettings', "Get instance's global settings for Attachment", 'miscellaneous', 'settings'),
    })
}
