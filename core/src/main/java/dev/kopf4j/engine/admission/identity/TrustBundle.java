package dev.kopf4j.engine.admission.identity;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Authorities to be trusted, as PEM. Pure. */
public final class TrustBundle {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN [^-]*-----.*?-----END [^-]*-----", Pattern.DOTALL);

    private TrustBundle() {}

    /**
     * The authorities of both: clients trust a server before and after it has changed.
     *
     * @param newer comes first; null for those that everybody trusts
     * @return the newer one as it is if it has all of the other one
     */
    public static @Nullable String union(@Nullable String newer, @Nullable String older) {
        if (newer == null || older == null) {
            return null;
        }
        Set<String> missing = blocks(older);
        missing.removeAll(blocks(newer));
        if (missing.isEmpty()) {
            return newer;
        }
        return newer + (newer.endsWith("\n") ? "" : "\n") + String.join("\n", missing) + "\n";
    }

    private static Set<String> blocks(String pem) {
        return BLOCK.matcher(pem)
                .results()
                .map(MatchResult::group)
                .map(block -> block.replace("\r", ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
