/** A body that creates a hook, with `more` members and further members of `config`. */
export function hook(more: object = {}, config: object = {}) {
  return { type: 'gitea', config: { url: 'https://ci.example.org/hook', content_type: 'json', ...config }, ...more }
}
