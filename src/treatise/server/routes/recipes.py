"""The recipes that a question may name."""

from fastapi import APIRouter

from treatise.recipes import RECIPES
from treatise.records import recipes_record
from treatise.server.dependencies import ReadKey, ServicesOf
from treatise.server.replies import RecordResponse
from treatise.server.schemas import RecipeList, replies

router: APIRouter = APIRouter(tags=["recipes"])


@router.get("/recipes", summary="The recipes", responses=replies(RecipeList))
async def list_recipes(services: ServicesOf, _key: ReadKey) -> RecordResponse:
    """Every recipe and its parts, as ``treatise list --recipes --json``; ``default`` is the one of the settings.

    ``has_model``: whether a language model writes answers unless a question says ``"llm": false``.
    """
    default = services.libraries.default
    record = recipes_record(RECIPES.values())
    return RecordResponse({**record, "default": default.recipe.slug, "has_model": default.model is not None})
