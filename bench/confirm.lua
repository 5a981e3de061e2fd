-- Create, then confirm what was created: two requests a payment. wrk … -s confirm.lua URL -- api-key body-file
-- Answers must be read for their ids, which costs wrk more than the other scripts do.
dofile(debug.getinfo(1, 'S').source:match('^@(.*/)') .. 'summary.lua')

local headers
local create
local waiting = {}

function init(args)
  local file = assert(io.open(args[2]))
  local body = file:read('*a')
  file:close()
  headers = { ['api-key'] = args[1], ['content-type'] = 'application/json' }
  create = wrk.format('POST', '/payments', headers, body)
end

function request()
  local id = table.remove(waiting)
  if id == nil then return create end
  return wrk.format('POST', '/payments/' .. id .. '/confirm', headers, '{}')
end

function response(status, _, body)
  if status ~= 200 then return end
  local id, state = body:match('"payment_id":"([^"]+)".-"status":"([^"]+)"')
  if state == 'requires_confirmation' then waiting[#waiting + 1] = id end
end
