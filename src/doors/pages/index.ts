export { answerGoGet } from './go-get.ts'
