package dev.kopf4j.devcluster.authentication;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The tokens whose signature was right lately, as clients send the same token with each request. Thread-safe. */
final class VerifiedTokens {
    private static final int MOST = 1000;
    private final Set<String> tokens = Collections.synchronizedSet(Collections.newSetFromMap(new Recent()));

    boolean contains(String token) {
        return tokens.contains(token);
    }

    void add(String token) {
        tokens.add(token);
    }

    private static final class Recent extends LinkedHashMap<String, Boolean> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    }
}
