package dev.kopf4j.engine.peering;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What operators and people call themselves, as Kopf does it. */
public final class PeerIdentity {
    private static final String CHARACTERS = "abcdefhijklmnopqrstuvwxyz0123456789";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT);

    /** Of the operators of this process that run at the moment, as far as they have the name of its pod. */
    private static final Set<String> TAKEN = ConcurrentHashMap.newKeySet();

    private PeerIdentity() {}

    /**
     * The name of a running operator: that of its pod, if it knows it, or one that nobody else has. The first operator
     * of a process has the plain name, so that it goes on with its record when the container is started again; those
     * beside it have numbers. It is to be {@linkplain #release released}.
     */
    public static String ofOperator(Map<String, String> environment, Instant now, RandomGenerator random) {
        String pod = environment.get("POD_ID");
        if (pod == null || pod.isBlank()) {
            return generated(ofPerson(), now, random);
        }
        String identity = pod;
        for (int number = 2; !TAKEN.add(identity); number++) {
            // No other pod is called so.
            identity = pod + "/" + number;
        }
        return identity;
    }

    /** The operator has ended: another one of this process may have its name. */
    static void release(String identity) {
        TAKEN.remove(identity);
    }

    static String generated(String person, Instant now, RandomGenerator random) {
        String chance = random.ints(3, 0, CHARACTERS.length())
                .mapToObj(index -> CHARACTERS.substring(index, index + 1))
                .collect(Collectors.joining());
        return person + "/" + TIME.format(now.atOffset(ZoneOffset.UTC)) + "/" + chance;
    }

    /** Who has started this program, and where: {@code user@host}. */
    public static String ofPerson() {
        return System.getProperty("user.name", "unknown") + "@" + host();
    }

    private static String host() {
        try {
            InetAddress local = InetAddress.getLocalHost();
            return descriptive(local.getCanonicalHostName(), local.getHostName());
        } catch (UnknownHostException e) {
            return descriptive(System.getenv("HOSTNAME"));
        }
    }

    /** The most telling of several names of this host. */
    static String descriptive(@Nullable String... names) {
        Optional<String> best = Stream.of(names)
                .filter(Objects::nonNull)
                .filter(name -> !name.isBlank() && !isMeaningless(name))
                .max(Comparator.comparingInt(name -> name.contains(".") ? 1 : 0));
        return best.orElse("localhost").replaceFirst("\\.local(domain)?$", "");
    }

    private static boolean isMeaningless(String name) {
        return name.endsWith(".arpa")
                || name.contains(":")
                || name.matches("[0-9.]+")
                || name.matches("localhost(\\..*)?");
    }
}
