package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.error.RequestDescription;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each missing permission once, with the RBAC rule that grants it; and once more if it was granted in between.
 * Thread-safe.
 */
final class MissingPermissions {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    void report(RequestDescription requestDescription, ForbiddenException refusal) {
        if (reported.add(requestDescription.permission())) {
            log.warn(
                    "Not permitted: {}. A role needs the rule {}. {}",
                    requestDescription.permission(),
                    requestDescription.rbacRule(),
                    refusal.getMessage());
        }
    }

    void granted(RequestDescription requestDescription) {
        if (!reported.isEmpty()) {
            reported.remove(requestDescription.permission());
        }
    }
}
