"""A shipped file turned back into a run: it answers as the file does, and can be trained on."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")
onnxruntime = pytest.importorskip("onnxruntime")

from companion.config import asset  # noqa: E402
from companion.training.networks import Refiner  # noqa: E402
from companion.training.thaw import begin_with, thaw  # noqa: E402
from companion.training.train import KINDS  # noqa: E402

SHAPES = {
    "button": (3, 48, 48),
    "glyph": (3, 72, 48),
    "locator": (3, 128, 160),
    "index": (3, 128, 160),
    "refiner": (3, 128, 96),
    "classifier": (3, 144, 96),
}


def pictures(kind: str, seed: int):
    """Two batches of blurred noise."""
    noise = torch.rand((8, *SHAPES[kind]), generator=torch.Generator().manual_seed(seed))
    soft = torch.nn.functional.avg_pool2d(noise, 9, 1, 4)
    return [soft[:4], soft[4:]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_thawed_network_answers_as_the_file_does(kind: str) -> None:
    """In use it answers what the shipped file answers, but for what 8 bits leave out."""
    network = KINDS[kind].network()
    path = asset("models") / f"card-{kind}.onnx"
    thaw(network, path, pictures(kind, 1))
    x = pictures(kind, 2)[0]
    with torch.no_grad():
        told = network.eval()(x)
    told = (told if torch.is_tensor(told) else told[0]).numpy()
    wanted = onnxruntime.InferenceSession(str(path)).run(None, {"picture": x.numpy()})[0]
    assert abs(told - wanted).mean() < 0.1 * abs(wanted).mean()


def test_what_was_thawed_is_normalised_by_what_it_sees() -> None:
    """In training, on the pictures it was thawed with, it answers nearly as in use."""
    network = KINDS["locator"].network()
    seen = pictures("locator", 1)
    thaw(network, asset("models") / "card-locator.onnx", seen)
    with torch.no_grad():
        used = network.eval()(torch.cat(seen))
        trained = network.train()(torch.cat(seen))
    assert float((used - trained).abs().mean()) < 0.01 * float(used.abs().mean())


def test_an_index_locator_begins_with_what_a_deeper_locator_has_learnt() -> None:
    """It takes every layer that it has too; a network of another make gives it nothing, and is named."""
    index, locator = KINDS["index"].network(), KINDS["locator"].network()
    begin_with(index, locator)
    learnt = locator.state_dict()
    assert len(learnt) > len(index.state_dict())
    assert all(torch.equal(own, learnt[name]) for name, own in index.state_dict().items())
    with pytest.raises(ValueError, match="Refiner has no"):
        begin_with(index, Refiner())


def test_the_file_of_another_network_is_refused() -> None:
    """A refiner does not take a locator's weights, and says so."""
    with pytest.raises(ValueError, match=r"card-locator\.onnx"):
        thaw(Refiner(), Path(asset("models") / "card-locator.onnx"), pictures("refiner", 1))
