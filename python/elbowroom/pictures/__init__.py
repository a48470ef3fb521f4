"""Pictures of worlds in the browser or the notebook, by the package ``viser``.

>>> picture = world.show(q)                     # http://127.0.0.1:8080
>>> picture = world.play(poses, times)          # with a slider and the clearance over time
>>> picture.save("page.html")                   # a page that stands alone

Needs ``pip install 'elbowroom[pictures]'``. viser is imported with the first picture.
"""

from ._picture import Picture, play, show

__all__ = ["Picture", "play", "show"]
