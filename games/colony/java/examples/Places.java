import holdfast.commlib.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Where the survivors are, and how many places are free at each entrance, as far as events tell it. */
final class Places {
    /** For zombies and barricades together. */
    private static final int PLACES = 3;

    private int colony;
    /** How many places of a location's entrances are taken. */
    private final Map<Integer, int[]> taken = new HashMap<>();
    private final Map<Integer, Integer> locations = new HashMap<>();
    private final Set<Integer> fuel = new HashSet<>();
    private final Set<Integer> locks = new HashSet<>();
    /** How many barricades a character's ability builds. */
    private final Map<Integer, Integer> builders = new HashMap<>();

    void begin(Json config) {
        Json goal = config.field("goal");
        for (Json location : config.field("locations").items()) {
            boolean isColony = location.has("colony");
            Json body = isColony ? location.field("colony") : location;
            int[] entrances = new int[body.field("entrances").asInt()];
            int zombies = goal.field(isColony ? "zombiesColony" : "zombiesLocations").asInt();
            for (int zombie = 0; zombie < zombies; zombie++) {
                entrances[zombie % entrances.length]++;
            }
            int identifier = body.field("identifier").asInt();
            taken.put(identifier, entrances);
            colony = isColony ? identifier : colony;
        }
        for (Json card : config.field("cards").items()) {
            if (card.has("fuel")) {
                fuel.add(card.field("fuel").field("identifier").asInt());
            } else if (card.has("lock")) {
                locks.add(card.field("lock").field("identifier").asInt());
            }
        }
        for (Json character : config.field("characters").items()) {
            Json ability = character.field("ability");
            if (ability.has("barricade")) {
                int barricades = ability.field("barricade").field("numBarricades").asInt();
                builders.put(character.field("identifier").asInt(), barricades);
            }
        }
    }

    boolean isInColony(int character) {
        return locations.get(character) == colony;
    }

    /** An entrance of the character's location that has room for a barricade; -1 if there is none. */
    int freeEntrance(int character) {
        int[] entrances = taken.get(locations.get(character));
        for (int entrance = 0; entrance < entrances.length; entrance++) {
            if (entrances[entrance] < PLACES) {
                return entrance;
            }
        }
        return -1;
    }

    void spawned(int character) {
        locations.put(character, colony);
    }

    void moved(int character, int location) {
        locations.put(character, location);
    }

    /** A zombie or a barricade comes, or with -1 goes. */
    void changed(int location, int entrance, int by) {
        taken.get(location)[entrance] += by;
    }

    /** Fuel and locks have no other event in most editions. */
    void cardUsed(int card, Integer character, Integer target) {
        if (fuel.contains(card)) {
            moved(character, target);
        } else if (locks.contains(card)) {
            changed(locations.get(character), target, 1);
        }
    }

    void abilityUsed(int character, Integer target) {
        if (builders.containsKey(character)) {
            int location = locations.get(character);
            int free = PLACES - taken.get(location)[target];
            changed(location, target, Math.min(free, builders.get(character)));
        }
    }
}
