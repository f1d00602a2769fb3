package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets users act as others, by the headers {@code Impersonate-*}: {@code pkg/endpoints/filters/impersonation.go} of the
 * apiserver library, v1.33. Thread-safe.
 */
final class Impersonation {
    private static final Pattern ACCOUNT = Pattern.compile("system:serviceaccount:([^:]+):([^:]+)");
    private static final String EXTRA = "impersonate-extra-";
    private final Check check;

    /** Refuses an act with 403 if the user may not do it. */
    @FunctionalInterface
    interface Check {
        void check(UserInfo user, AuthorizationAttributes attributes);
    }

    Impersonation(Check check) {
        this.check = check;
    }

    /** The user that a request acts as: the one that its headers name, or else the given user. */
    UserInfo apply(ApiRequest request, UserInfo user) {
        String name = request.header("impersonate-user").orElse("");
        if (name.isEmpty()) {
            if (request.header("impersonate-group").isPresent()) {
                throw ApiException.internal("requested groups without impersonating a user");
            }
            return user;
        }
        Matcher account = ACCOUNT.matcher(name);
        if (account.matches()) {
            check(user, "serviceaccounts", account.group(1), account.group(2));
        } else {
            check(user, "users", "", name);
        }
        List<String> groups = groups(request, user);
        if (groups.isEmpty() && account.matches()) {
            groups.addAll(List.of("system:serviceaccounts", "system:serviceaccounts:" + account.group(1)));
        }
        if (!groups.contains(UserInfo.AUTHENTICATED)) {
            groups.add(name.equals("system:anonymous") ? "system:unauthenticated" : UserInfo.AUTHENTICATED);
        }
        return new UserInfo(name, request.header("impersonate-uid").orElse(""), groups, extra(request));
    }

    private List<String> groups(ApiRequest request, UserInfo user) {
        List<String> groups = new ArrayList<>();
        for (String group : request.header("impersonate-group").orElse("").split(",", -1)) {
            if (!group.isBlank()) {
                check(user, "groups", "", group.strip());
                groups.add(group.strip());
            }
        }
        return groups;
    }

    private static Map<String, List<String>> extra(ApiRequest request) {
        Map<String, List<String>> extra = new HashMap<>();
        request.headers().forEach((name, value) -> {
            if (name.startsWith(EXTRA)) {
                extra.put(name.substring(EXTRA.length()).toLowerCase(Locale.ROOT), List.of(value));
            }
        });
        return extra;
    }

    private void check(UserInfo user, String resource, String namespace, String name) {
        check.check(user, new AuthorizationAttributes("impersonate", "", resource, "", namespace, name, ""));
    }
}
