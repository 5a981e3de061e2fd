import DefaultTheme from 'vitepress/theme'
import './site.css'

/** An operation was once at `/docs#tag/…`, and still is for those who have the link. */
if (typeof window !== 'undefined' && /^#(tag|description|model)\b/.test(location.hash) && /^\/docs\/?$/.test(location.pathname))
  location.replace(`/docs/reference${location.hash}`)

export default DefaultTheme
