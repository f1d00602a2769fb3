package dev.kopf4j.engine.sharding;

import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which member of the group has which shards, and which ones it should have. A shard has one holder at the most: the
 * holder alone gives it up, when all work for its objects has ended, or it is taken from one that certainly does not
 * act any more. Only a shard without a holder gets a new one. Immutable.
 *
 * @see ShardGroup how it is stored and obeyed
 */
final class ShardAssignment {
    /** A holder of whom nothing is known: what was stored could not be read. */
    static final String UNKNOWN = "?";

    private final long epoch;
    private final @Nullable String[] holders;
    private final @Nullable String[] wanted;

    private ShardAssignment(long epoch, @Nullable String[] holders, @Nullable String[] wanted) {
        this.epoch = epoch;
        this.holders = holders;
        this.wanted = wanted;
    }

    /** Nobody has any of the shards. */
    static ShardAssignment free(int count) {
        return new ShardAssignment(0, new String[count], new String[count]);
    }

    /** Somebody may have any of the shards, but nobody knows who. */
    static ShardAssignment unknown(int count) {
        ShardAssignment all = free(count);
        Arrays.fill(all.holders, UNKNOWN);
        return all;
    }

    /**
     * What was stored.
     *
     * @throws JsonConversionException if it makes no sense
     */
    static ShardAssignment parse(String text) {
        ObjectNode stored = Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
        if (isOfLaterFormat(stored)) {
            throw new JsonConversionException("a newer kopf4j has written it", null);
        }
        int count = stored.path("count").asInt(0);
        if (count < 1 || count > ShardGroup.SHARDS_MAX) {
            throw new JsonConversionException("not a number of shards: " + stored.path("count"), null);
        }
        return new ShardAssignment(
                stored.path("epoch").asLong(0),
                members(stored.path("holders"), count),
                members(stored.path("wanted"), count));
    }

    /** True if a newer version has written that: it is not to be overwritten as long as somebody may obey it. */
    static boolean isOfLaterFormat(String text) {
        try {
            return text.contains("\"format\"")
                    && isOfLaterFormat(Json.parseObject(text.getBytes(StandardCharsets.UTF_8)));
        } catch (JsonConversionException e) {
            return false; // nobody obeys it
        }
    }

    /** This format, the first one, does not name itself. */
    private static boolean isOfLaterFormat(ObjectNode stored) {
        return stored.path("format").asInt(1) > 1;
    }

    private static @Nullable String[] members(JsonNode byMember, int count) {
        if (!byMember.isObject() || !byMember.valueStream().allMatch(JsonNode::isString)) {
            // Whoever took it for empty would take shards from those who act.
            throw new JsonConversionException("it does not say who has, or is to have, which shards", null);
        }
        @Nullable String[] found = new String[count];
        for (Map.Entry<String, JsonNode> each : byMember.properties()) {
            try {
                ShardSet.numbers(each.getValue().asString(), count).stream()
                        .forEach(shard -> found[shard] = each.getKey());
            } catch (IllegalArgumentException e) {
                throw new JsonConversionException(String.valueOf(e.getMessage()), e);
            }
        }
        return found;
    }

    /** The text to be stored: {@code {"count":64,"epoch":7,"holders":{"a":"0-31"},"wanted":{"a":"0-31"}}}. */
    String text() {
        ObjectNode stored = Json.object().put("count", count()).put("epoch", epoch);
        put(stored.putObject("holders"), holders);
        put(stored.putObject("wanted"), wanted);
        return Json.text(stored);
    }

    private static void put(ObjectNode into, @Nullable String[] members) {
        Map<String, BitSet> found = new TreeMap<>();
        for (int shard = 0; shard < members.length; shard++) {
            String member = members[shard];
            if (member != null) {
                found.computeIfAbsent(member, _ -> new BitSet()).set(shard);
            }
        }
        found.forEach((member, shards) -> into.put(member, ShardSet.ranges(shards)));
    }

    int count() {
        return holders.length;
    }

    /** Grows with each change that is stored. */
    long epoch() {
        return epoch;
    }

    /** The same, as it follows that epoch. */
    ShardAssignment after(long before) {
        return new ShardAssignment(before + 1, holders, wanted);
    }

    /** True if both say the same, whatever their epochs. */
    boolean saysTheSame(ShardAssignment other) {
        return Arrays.equals(holders, other.holders) && Arrays.equals(wanted, other.wanted);
    }

    /** Who has the shard; null if nobody does. */
    @Nullable String holder(int shard) {
        return holders[shard];
    }

    /** Who is to have the shard; null if nobody is. */
    @Nullable String next(int shard) {
        return wanted[shard];
    }

    /** The shards that the member has. */
    BitSet heldBy(String member) {
        return where(holders, member::equals);
    }

    /** The shards that the member has, and is to keep. */
    BitSet servedBy(String member) {
        BitSet served = heldBy(member);
        served.and(where(wanted, member::equals));
        return served;
    }

    /** Those who have a shard. */
    Collection<String> holders() {
        return Arrays.stream(holders).filter(Objects::nonNull).collect(Collectors.toCollection(TreeSet::new));
    }

    /** True if somebody has each shard who is to have it. */
    boolean isSettled() {
        return Arrays.equals(holders, wanted) && Arrays.stream(holders).allMatch(each -> each != null);
    }

    private static BitSet where(@Nullable String[] members, Predicate<String> condition) {
        BitSet found = new BitSet();
        for (int shard = 0; shard < members.length; shard++) {
            String member = members[shard];
            found.set(shard, member != null && condition.test(member));
        }
        return found;
    }

    /** Those do not act any more: nobody has their shards. */
    ShardAssignment without(Predicate<String> members) {
        return with(null, where(holders, members));
    }

    /** The member has given up these shards: nobody has them. */
    ShardAssignment givenUp(String member, BitSet shards) {
        BitSet own = heldBy(member);
        own.and(shards);
        return with(null, own);
    }

    /** The member goes on with shards that it has, as it cannot be read who has them. */
    ShardAssignment reclaimed(String member, BitSet shards) {
        BitSet lost = where(holders, UNKNOWN::equals);
        lost.and(shards);
        return with(member, lost);
    }

    private ShardAssignment with(@Nullable String holder, BitSet shards) {
        @Nullable String[] changed = holders.clone();
        shards.stream().forEach(shard -> changed[shard] = holder);
        return new ShardAssignment(epoch, changed, wanted);
    }

    /** Who is to have a shard that nobody has, has it. */
    ShardAssignment taken(Predicate<String> alive) {
        @Nullable String[] changed = holders.clone();
        for (int shard = 0; shard < changed.length; shard++) {
            String next = wanted[shard];
            if (changed[shard] == null && next != null && alive.test(next)) {
                changed[shard] = next;
            }
        }
        return new ShardAssignment(epoch, changed, wanted);
    }

    /**
     * Each of the members is to have as many shards as the others, or one more. No more shards move than needed: those
     * of members that are gone, and what others have too many.
     */
    ShardAssignment balanced(Collection<String> members) {
        @Nullable String[] changed = new String[count()];
        if (!members.isEmpty()) {
            Map<String, Integer> places = places(members);
            for (int shard = 0; shard < changed.length; shard++) {
                String before = wanted[shard];
                if (before != null && take(places, before)) {
                    changed[shard] = before;
                }
            }
            for (int shard = 0; shard < changed.length; shard++) {
                if (changed[shard] == null) {
                    changed[shard] = next(places, holders[shard]);
                }
            }
        }
        return new ShardAssignment(epoch, holders, changed);
    }

    /** How many shards each may have: those who have more already get what is left over. */
    private Map<String, Integer> places(Collection<String> members) {
        Map<String, Integer> before = new HashMap<>();
        for (String each : wanted) {
            if (each != null) {
                before.merge(each, 1, Integer::sum);
            }
        }
        List<String> sorted = members.stream()
                .sorted(Comparator.<String>comparingInt(each -> -before.getOrDefault(each, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        Map<String, Integer> places = new LinkedHashMap<>();
        int left = count() % sorted.size();
        for (String each : sorted) {
            places.put(each, count() / sorted.size() + (left-- > 0 ? 1 : 0));
        }
        return places;
    }

    private static boolean take(Map<String, Integer> places, String member) {
        Integer left = places.get(member);
        if (left == null || left == 0) {
            return false;
        }
        places.put(member, left - 1);
        return true;
    }

    /** The one with the most places; who has the shard already, if it has one. */
    private static String next(Map<String, Integer> places, @Nullable String holder) {
        String most = holder != null && places.getOrDefault(holder, 0) > 0
                ? holder
                : places.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey();
        take(places, most);
        return most;
    }

    @Override
    public String toString() {
        return text();
    }
}
