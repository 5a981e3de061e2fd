-- What wrk measured, exactly, as one line of JSON (its own text rounds). Errors: whatever did not come back as 2xx.
function done(summary, latency, _)
  local e = summary.errors
  io.write(string.format(
    'bench {"requests":%d,"us":%d,"p50_us":%d,"p99_us":%d,"max_us":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    e.connect, e.read, e.write, e.timeout, e.status))
end
