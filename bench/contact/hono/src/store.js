export const recipes = new Map();
export const plans = new Map();
export const shoppingLists = new Map();

const ids = { recipes: 0, plans: 0, lists: 0 };

export function nextId(kind) {
  ids[kind] += 1;
  return ids[kind];
}

for (const recipe of [
  {
    title: 'Pancakes',
    servings: 4,
    minutes: 25,
    ingredients: [
      { name: 'flour', grams: 250, allergen: 'gluten' },
      { name: 'milk', grams: 500, allergen: 'milk' },
    ],
  },
  { title: 'Lentil soup', servings: 2, ingredients: [{ name: 'lentils', grams: 200 }] },
]) {
  const id = nextId('recipes');
  recipes.set(id, { id, ...recipe });
}
plans.set(nextId('plans'), { id: 1, owner: 'Mona', meals: [{ day: '2024-05-06', recipeId: 1 }] });
