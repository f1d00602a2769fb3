package dev.kopf4j.devcluster.cel.library;

import static dev.kopf4j.devcluster.cel.library.AuthorizerTypes.AUTHORIZER;
import static dev.kopf4j.devcluster.cel.library.AuthorizerTypes.DECISION;
import static dev.kopf4j.devcluster.cel.library.AuthorizerTypes.GROUP_CHECK;
import static dev.kopf4j.devcluster.cel.library.AuthorizerTypes.PATH_CHECK;
import static dev.kopf4j.devcluster.cel.library.AuthorizerTypes.RESOURCE_CHECK;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.kopf4j.devcluster.cel.library.CelAuthorizer.GroupCheck;
import dev.kopf4j.devcluster.cel.library.CelAuthorizer.PathCheck;
import dev.kopf4j.devcluster.cel.library.CelAuthorizer.ResourceCheck;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.function.BiFunction;

/**
 * What a user may do: {@code authorizer.group('').resource('pods').check('list').allowed()};
 * {@code pkg/cel/library/authz.go} of the apiserver library, v1.33. Selectors are taken, but narrow nothing: roles know
 * none.
 */
final class AuthorizerFunctions {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType TRUTH = SimpleType.BOOL;

    private AuthorizerFunctions() {}

    static void declare(CelFunctions functions) {
        functions
                .member("path", PATH_CHECK, List.of(AUTHORIZER, TEXT), AuthorizerFunctions::path)
                .member(
                        "group",
                        GROUP_CHECK,
                        List.of(AUTHORIZER, TEXT),
                        given -> new GroupCheck((CelAuthorizer) given[0], (String) given[1]))
                .member(
                        "serviceAccount",
                        AUTHORIZER,
                        List.of(AUTHORIZER, TEXT, TEXT),
                        AuthorizerFunctions::serviceAccount)
                .member("resource", RESOURCE_CHECK, List.of(GROUP_CHECK, TEXT), AuthorizerFunctions::resource)
                .member(
                        "check",
                        DECISION,
                        List.of(PATH_CHECK, TEXT),
                        given -> ((PathCheck) given[0]).check((String) given[1]))
                .member(
                        "check",
                        DECISION,
                        List.of(RESOURCE_CHECK, TEXT),
                        given -> ((ResourceCheck) given[0]).check((String) given[1]));
        narrowing(functions, "subresource", ResourceCheck::ofSubresource);
        narrowing(functions, "namespace", ResourceCheck::inNamespace);
        narrowing(functions, "name", ResourceCheck::named);
        narrowing(functions, "fieldSelector", (check, _) -> check);
        narrowing(functions, "labelSelector", (check, _) -> check);
        functions
                .member("allowed", TRUTH, List.of(DECISION), given -> ((CelAuthorizer.Decision) given[0]).allowed())
                .member("reason", TEXT, List.of(DECISION), given -> ((CelAuthorizer.Decision) given[0]).reason())
                .member("errored", TRUTH, List.of(DECISION), given -> false)
                .member("error", TEXT, List.of(DECISION), given -> "");
    }

    private static void narrowing(
            CelFunctions functions, String name, BiFunction<ResourceCheck, String, ResourceCheck> narrowed) {
        functions.member(
                name,
                RESOURCE_CHECK,
                List.of(RESOURCE_CHECK, TEXT),
                given -> narrowed.apply((ResourceCheck) given[0], (String) given[1]));
    }

    private static Object path(Object[] given) {
        return new PathCheck((CelAuthorizer) given[0], notBlank("path", given[1]));
    }

    private static Object resource(Object[] given) {
        GroupCheck group = (GroupCheck) given[0];
        return new ResourceCheck(group.authorizer(), group.group(), notBlank("resource", given[1]), "", "", "");
    }

    private static String notBlank(String what, Object text) {
        String given = (String) text;
        if (given.isBlank()) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        return given;
    }

    private static Object serviceAccount(Object[] given) {
        String namespace = (String) given[1];
        String name = (String) given[2];
        if (!DnsNames.subdomain(name).isEmpty()) {
            throw new IllegalArgumentException("Invalid service account name");
        }
        if (!DnsNames.label(namespace).isEmpty()) {
            throw new IllegalArgumentException("Invalid service account namespace");
        }
        return ((CelAuthorizer) given[0]).ofServiceAccount(namespace, name);
    }
}
