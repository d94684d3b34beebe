import { categories } from '#access/index.ts'

type Category = (typeof categories)[number]

/** What a scope opens, by its category. */
const explained: Record<Category, string> = {
  activitypub: 'Federation: nothing here asks for it, but clients may name it',
  admin: 'The administration of this site, when you are an administrator',
  issue: 'Issues, and what they share with pull requests: comments, labels, milestones, reactions',
  misc: 'What belongs to nobody: Markdown, templates, settings of the site',
  notification: 'Your notifications, and to mark them as read',
  organization: 'Your organizations: members, teams, labels, webhooks',
  package: 'Packages: nothing here asks for it, but clients may name it',
  repository: 'Repositories: cloning, pushing, files, branches, pull requests, releases, settings',
  user: 'Your account: profile, addresses, keys, whom you follow, what you star',
}

/** What a new token may do, and what that means. */
export function ScopeChoices() {
  return (
    <fieldset class="choices explained">
      <legend>What it may do</legend>
      <label class="choice">
        <input type="checkbox" name="scopes" value="all" /> Everything that you may
      </label>
      <label class="choice">
        <input type="checkbox" name="scopes" value="public-only" /> Of all below, only what is public
      </label>
      {categories.map((category) => (
        <label>
          <span>
            {category}
            <span class="faint">{explained[category]}</span>
          </span>
          <select name="scopes">
            <option value="">nothing</option>
            <option value={`read:${category}`}>read</option>
            <option value={`write:${category}`}>read and write</option>
          </select>
        </label>
      ))}
    </fieldset>
  )
}
