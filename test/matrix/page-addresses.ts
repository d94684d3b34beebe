import { type PageRoute, type PageWorld, REPO, type ViewerName } from './page-world.ts'

/** What some pages are asked about, where the names of their parameters do not say it. */
const examples: Record<string, string> = {
  '/-/guide/:page': '/-/guide/tokens',
  '/user/activate_email': '/user/activate_email?code=1',
  '/user/activate': '/user/activate?code=1',
  '/user/recover_account': '/user/recover_account?code=1',
  '/user/sign_in/:secret': '/user/sign_in/1',
  '/org/:org/settings/applications/:id': '/org/:org/settings/applications/:orgApplication',
  '/org/:org/settings/hooks/:id': '/org/:org/settings/hooks/:orgHook',
  '/avatars/:name': '/avatars/1',
  '/repo-avatars/:name': '/repo-avatars/1',
  '/-/admin/auths/:id': '/-/admin/auths/:source',
  '/-/admin/applications/:id': '/-/admin/applications/:application',
  '/-/admin/hooks/:id': '/-/admin/hooks/:siteHook',
  '/-/admin/users/:id/edit': '/-/admin/users/:person/edit',
  '/-/as/:role/:owner/:repo': `/-/as/read${REPO}`,
  '/-/as/:role/:owner/:repo/*': `/-/as/write${REPO}/labels`,
  '/login/oauth/authorize': '/login/oauth/authorize?client_id=:client&response_type=code&redirect_uri=https%3A%2F%2Fexample.org%2F',
  '/user/oauth2/:name': '/user/oauth2/nowhere',
  '/user/oauth2/:name/callback': '/user/oauth2/nowhere/callback',
  '/:owner': '/:owner?tab=repositories',
  '/:owner/:repo/settings/teams': '/:org/works/settings/teams',
  '/:owner/:repo/settings/hooks/:id': `${REPO}/settings/hooks/:hook`,
  '/:owner/:repo/settings/branches/edit': `${REPO}/settings/branches/edit?rule_name=main`,
  '/:owner/:repo/releases/edit/:id': `${REPO}/releases/edit/:release`,
  '/:owner/:repo/releases/tag/*': `${REPO}/releases/tag/v1`,
  '/:owner/:repo/releases/download/*': `${REPO}/releases/download/v1/a b.log`,
  '/:owner/:repo/releases/attachments/:uuid': `${REPO}/releases/attachments/:asset`,
  '/:owner/:repo/archive/*': `${REPO}/archive/main.zip`,
  '/:owner/:repo/rss/:kind/*': `${REPO}/rss/branch/main`,
  '/:owner/:repo/atom/:kind/*': `${REPO}/atom/branch/main`,
  '/:owner/:repo/commits/:kind': `${REPO}/commits/main`,
  '/:owner/:repo/commits/:kind/*': `${REPO}/commits/branch/main`,
  '/:owner/:repo/raw/:kind': `${REPO}/raw/a.ts`,
  '/:owner/:repo/media/:kind': `${REPO}/media/a.ts`,
  '/:owner/:repo/raw/:kind/*': `${REPO}/raw/branch/main/a.ts`,
  '/:owner/:repo/media/:kind/*': `${REPO}/media/branch/main/a.ts`,
  '/:owner/:repo/blame/:kind/*': `${REPO}/blame/branch/main/a.ts`,
  '/:owner/:repo/src/:kind': `${REPO}/src/main`,
  '/:owner/:repo/src/:kind/*': `${REPO}/src/branch/main/doc/guide.md`,
  '/:owner/:repo/_new/*': `${REPO}/_new/main/`,
  '/:owner/:repo/_edit/*': `${REPO}/_edit/main/a.ts`,
  '/:owner/:repo/_delete/*': `${REPO}/_delete/main/a.ts`,
  '/:owner/:repo/_upload/*': `${REPO}/_upload/main/`,
  '/:owner/:repo/wiki/raw/*': `${REPO}/wiki/raw/Home.md`,
  '/:owner/:repo/wiki/*': `${REPO}/wiki/Home`,
  '/:owner/:repo/wiki/_edit/*': `${REPO}/wiki/_edit/Home`,
  '/:owner/:repo/commit/*': `${REPO}/commit/:sha`,
  '/:owner/:repo/activity/:period': `${REPO}/activity/monthly`,
  '/:owner/:repo/reflog/*': `${REPO}/reflog/main`,
  '/:owner/:repo/compare/*': `${REPO}/compare/main...topic`,
  '/:owner/:repo/milestone/:id': `${REPO}/milestone/:milestone`,
  '/:owner/:repo/issues/:index/comments/:id/edit': `${REPO}/issues/1/comments/:comment/edit`,
  '/:owner/:repo/issues/by/:by': `${REPO}/issues/by/label`,
  '/:owner/:repo/issues/bulk': `${REPO}/issues/bulk?issues=1`,
  '/:owner/:repo/pulls/by/:by': `${REPO}/pulls/by/reviewer`,
  '/:owner/:repo/pulls/bulk': `${REPO}/pulls/bulk?issues=:pull`,
  '/:owner/:repo/pulls/:index/conflicts': `${REPO}/pulls/:conflict/conflicts`,
}

/**
 * Where a page is, as somebody asks for it.
 * @throws Error when it has parameters that nothing fills in: a new page gets its example above
 */
export function addressOf({ params, own }: PageWorld, { path, line }: PageRoute, viewer: ViewerName): string {
  const ownId = own[viewer][path]
  const example = ownId === undefined ? (examples[path] ?? path.replace('/pulls/:index', '/pulls/:pull')) : path.replace(':id', ownId)
  return example.replace(/(?<=[/=]):(\w+)|\*$/g, (all, name = all) => {
    const value = params[name]
    if (value === undefined) throw new Error(`Cannot ask for ${line}: test/matrix/page-addresses.ts has no example for ${all}`)
    return value
  })
}
