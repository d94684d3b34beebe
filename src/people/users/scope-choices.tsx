import { categories } from '#access/index.ts'

type Category = (typeof categories)[number]

/** What a scope opens, by its category. */
const explained: Record<Category, string> = {
  activitypub: 'Federation (not used by this server)',
  admin: 'Site administration (site administrators only)',
  issue: 'Issues and pull requests: comments, labels, milestones, reactions',
  misc: 'Miscellaneous: Markdown rendering, templates, server settings',
  notification: 'Notifications: read them and mark them as read',
  organization: 'Organizations: members, teams, labels, webhooks',
  package: 'Packages (not used by this server)',
  repository: 'Repositories: clone, push, files, branches, pull requests, releases, settings',
  user: 'Account: profile, email addresses, keys, follows, stars',
}

/** What a new token may do, and what that means. */
export function ScopeChoices() {
  return (
    <fieldset class="choices explained">
      <legend>Select scopes</legend>
      <label class="choice">
        <input type="checkbox" name="scopes" value="all" /> All scopes
      </label>
      <label class="choice">
        <input type="checkbox" name="scopes" value="public-only" /> Public only
      </label>
      {categories.map((category) => (
        <label>
          <span>
            {category}
            <span class="faint">{explained[category]}</span>
          </span>
          <select name="scopes">
            <option value="">No access</option>
            <option value={`read:${category}`}>Read</option>
            <option value={`write:${category}`}>Read and write</option>
          </select>
        </label>
      ))}
    </fieldset>
  )
}
