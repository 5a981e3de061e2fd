-- Retrieve payments, one after the other and from the start again. wrk … -s retrieve.lua URL -- api-key file-with-ids
dofile(debug.getinfo(1, 'S').source:match('^@(.*/)') .. 'summary.lua')

local ready = {}
local at = 0

function init(args)
  for id in io.lines(args[2]) do ready[#ready + 1] = wrk.format('GET', '/payments/' .. id, { ['api-key'] = args[1] }) end
end

function request()
  at = at % #ready + 1
  return ready[at]
end
