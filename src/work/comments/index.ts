export { getComment, type Written } from './change-comments.ts'
export { comments } from './routes.ts'
export { Comment, CommentParams } from './schema.ts'
export { presentComment, presentComments } from './view.ts'
