"""An adapter of the bridge protocol, version 1, in some hundred and fifty lines of Python's standard library: the example of docs/bridge/README.md.

    BRIDGE_KEY=secret python3 docs/bridge/adapter.py 8090

Its processor is a dictionary. Where yours is called, write the operation down first, as `put` does, and ask it what became of a call whose answer was lost.
"""

import hashlib, hmac, json, os, re, sys, threading, time, urllib.parse, urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = os.environ["BRIDGE_KEY"]
CARDS = {"approved": "4242424242424242", "declined": "4000000000000002", "pending": "4000000000001976"}
OFFERS = ["authorize", "capture", "void", "refund", "payout"]
STATUS = {"invalid_request": 400, "unauthorized": 401, "not_found": 404, "conflict": 409, "not_allowed": 422}
READS = ["payments", "changes"]
operations, asked, acts_on, changed, news, lock = {}, {}, {}, {}, {}, threading.Lock()


class No(Exception):
    """Nothing happened."""


def need(truth, code, message):
    if not truth:
        raise No(code, message)


def authorize(ask):
    card = ask.get("method") or {}
    need(card.get("type") == "card" and re.fullmatch(r"\d{12,19}", str(card.get("number"))), "invalid_request", "method must be a card")
    need(ask.get("capture") in ("automatic", "manual"), "invalid_request", "capture must be automatic or manual")
    if card["number"] == CARDS["declined"]:
        return {"status": "declined", "decline": {"code": "card_declined", "message": "The card was declined."}}
    if card["number"] == CARDS["pending"]:
        return {"status": "pending"}
    taken = ask["amount"] if ask["capture"] == "automatic" else 0
    return {"status": "approved", "captured": taken, "held": ask["amount"] - taken, "refunded": 0}


def pay_out(ask):
    need(isinstance(ask.get("to"), dict) and ask["amount"] > 0, "invalid_request", "to must be an object")
    return {"status": "approved"}


def change(ask):
    payment = operations.get(ask.get("authorization"))
    need(payment and payment["type"] == "authorize", "not_found", "No such authorization")
    need(payment["status"] == "approved", "not_allowed", "The payment is " + payment["status"])
    need(payment["currency"] == ask["currency"], "invalid_request", "currency must be that of the authorization")
    if ask["type"] == "capture":
        need(0 < ask["amount"] <= payment["held"], "not_allowed", "amount exceeds the held amount")
        payment["captured"] += ask["amount"]
        payment["held"] = 0 if ask.get("final") else payment["held"] - ask["amount"]
    elif ask["type"] == "refund":
        need(0 < ask["amount"] <= payment["captured"] - payment["refunded"], "not_allowed", "amount exceeds the amount left to refund")
        payment["refunded"] += ask["amount"]
    else:
        need(payment["held"] > 0, "not_allowed", "The authorization does not hold any funds")
        payment["held"] = 0
        payment["status"] = "approved" if payment["captured"] else "released"
    return {"status": "approved"}


def digest(ask):
    """All that is kept of a body: a card number is kept nowhere."""
    return hmac.new(KEY.encode(), json.dumps(ask, sort_keys=True).encode(), hashlib.sha256).digest()


def put(request_id, ask):
    with lock:  # one at a time: the same id, put ten times at once, is one operation
        if request_id in operations:
            need(asked[request_id] == digest(ask), "conflict", "This request id was already used for a request with a different body")
            return dict(operations[request_id])
        amount, currency = ask.get("amount"), ask.get("currency")
        need(ask.get("type") in OFFERS, "invalid_request", "type is not supported")
        need(type(amount) is int and 0 <= amount < 2**53, "invalid_request", "amount must be an integer")
        need(isinstance(currency, str) and re.fullmatch("[A-Z]{3}", currency), "invalid_request", "currency must be three letters")
        made = {"authorize": authorize, "payout": pay_out}.get(ask["type"], change)(ask)
        operations[request_id] = {"request_id": request_id, "type": ask["type"], "reference": "op_%d" % (len(operations) + 1),
                                  "amount": amount, "currency": currency, **made}
        asked[request_id], acts_on[request_id] = digest(ask), ask.get("authorization")
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        changed.update({id: now for id in (request_id, ask.get("authorization")) if id in operations})
        threading.Thread(target=tell, args=[json.dumps(operations[request_id])], daemon=True).start()
        return dict(operations[request_id])


def whole(request_id):
    """A payment with all its movements. Those that your processor's own dashboard makes belong here too, with request_id None."""
    payment = operations.get(request_id)
    need(payment and payment["type"] == "authorize", "not_found", "No such payment")
    mine = [one for id, one in operations.items() if acts_on[id] == request_id]
    names = ("type", "status", "reference", "request_id", "amount", "currency")
    return {"request_id": request_id, "reference": payment["reference"], "currency": payment["currency"],
            "authorized": 0 if payment["status"] in ("declined", "pending") else payment["amount"],
            "captured": payment.get("captured", 0), "refunded": payment.get("refunded", 0), "held": payment.get("held", 0),
            "released": "voided" if payment["status"] == "released" else None, "movements": [{name: one[name] for name in names} for one in mine]}


def changes(since, until, cursor):
    places = sorted((at + "." + operations[id]["reference"], id) for id, at in changed.items() if since <= at < until)
    left = [one for one in places if one[0] > cursor]
    return {"changes": [{"operation": operations[id]} for _, id in left[:100]], "next": left[99][0] if len(left) > 100 else None}


def tell(operation):
    """Tells what became of an operation, as it stood then, until somebody takes it."""
    body = ('{"version": 1, "operation": %s}' % operation).encode()
    for pause in (0.1, 1, 10, 60, 600, 3600) if news else ():
        t = str(int(time.time()))
        v1 = hmac.new(news["secret"].encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
        headers = {"content-type": "application/json", "bridge-signature": "t=%s,v1=%s" % (t, v1)}
        try:
            return urllib.request.urlopen(urllib.request.Request(news["url"], body, headers), timeout=10).close()
        except OSError:
            time.sleep(pause)


class Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or "null")
            status, said = 200, self.act(body)
        except No as no:
            status, said = STATUS[no.args[0]], {"error": {"code": no.args[0], "message": no.args[1]}}
        except ValueError:
            status, said = 400, {"error": {"code": "invalid_request", "message": "The request body must be JSON"}}
        text = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        try:
            self.end_headers()
            self.wfile.write(text)
        except OSError:  # whoever asked has hung up: the operation stands, and is found
            self.close_connection = True

    def act(self, body):
        given = self.headers.get("authorization", "").encode()
        need(hmac.compare_digest(given, b"Bearer " + KEY.encode()), "unauthorized", "Invalid secret")
        if (self.command, self.path) == ("GET", "/v1"):
            return {"protocol": "bridge", "version": 1, "name": "Example", "offers": OFFERS, "reads": READS, "test_cards": CARDS}
        need(self.command == "GET" or isinstance(body, dict), "invalid_request", "The request body must be a JSON object")
        if (self.command, self.path) == ("PUT", "/v1/news"):
            news.update(url=str(body.get("url")), secret=str(body.get("secret")))
            return {"url": news["url"]}
        path, _, query = self.path.partition("?")
        if (self.command, path) == ("GET", "/v1/changes"):
            given = dict(urllib.parse.parse_qsl(query))
            return changes(given.get("since", ""), given.get("until", ""), given.get("cursor", ""))
        found = re.fullmatch(r"/v1/payments/([A-Za-z0-9_-]{1,64})", path)
        if self.command == "GET" and found:
            return whole(found[1])
        found = re.fullmatch(r"/v1/operations/([A-Za-z0-9_-]{1,64})", self.path)
        need(found, "not_found", "Unrecognized request URL")
        if self.command == "PUT":
            return put(found[1], body)
        need(found[1] in operations, "not_found", "No such operation")
        return operations[found[1]]

    do_GET = do_PUT = answer

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Door)
    print("listening on http://127.0.0.1:%d" % server.server_port, flush=True)
    server.serve_forever()
