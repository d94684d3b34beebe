import { Elysia } from 'elysia'
import { gate, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { apiVersion } from '#version.ts'
import { GeneralAPISettings, GeneralAttachmentSettings, GeneralRepoSettings, GeneralUISettings, ServerVersion } from './schema.ts'

/** Clients ask before they offer a thing; what this server does not do is told here. A room that brings one takes its line away. */
const absent = { mirrors_disabled: true, migrations_disabled: true, lfs_disabled: true }

export function misc(context: Context) {
  const { api, attachment, repository, service, ui } = context.config
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
    .get('/settings/ui', () => ({ default_theme: 'gitea-auto', allowed_reactions: [...ui.REACTIONS], custom_emojis: [] }), {
      anyone: [],
      response: { 200: GeneralUISettings },
      detail: operation('getGeneralUISettings', "Get instance's global settings for ui", 'miscellaneous', 'settings'),
    })
    .get(
      '/settings/repository',
      () => ({
        ...absent,
        http_git_disabled: repository.DISABLE_HTTP_GIT,
        time_tracking_disabled: !service.ENABLE_TIMETRACKING,
        stars_disabled: false,
        forks_disabled: false,
      }),
      {
        anyone: [],
        response: { 200: GeneralRepoSettings },
        detail: operation('getGeneralRepositorySettings', "Get instance's global settings for repositories", 'miscellaneous', 'settings'),
      },
    )
    .get(
      '/settings/attachment',
      () => ({
        enabled: attachment.ENABLED,
        allowed_types: attachment.ALLOWED_TYPES.join(','),
        max_size: attachment.MAX_SIZE,
        max_files: attachment.MAX_FILES,
      }),
      {
        anyone: [],
        response: { 200: GeneralAttachmentSettings },
        detail: operation('getGeneralAttachmentSettings', "Get instance's global settings for Attachment", 'miscellaneous', 'settings'),
      },
    )
}
