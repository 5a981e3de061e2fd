/** The browser data of a customer, with all members. */
export const browser_info = {
  user_agent: 'Mozilla/5.0',
  accept_header: 'text/html',
  language: 'en-GB',
  color_depth: 24,
  screen_height: 900,
  screen_width: 1440,
  time_zone: -60,
  java_enabled: false,
  java_script_enabled: true,
}
