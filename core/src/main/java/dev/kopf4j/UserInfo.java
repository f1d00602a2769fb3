package dev.kopf4j;

import java.util.List;
import java.util.Map;

/**
 * Who has sent the request that an admission handler is asked about, as the API server knows it: the {@code userInfo}
 * of {@code authentication.k8s.io/v1}. Immutable. A parameter of admission handlers. Made by the framework; not to be
 * implemented.
 */
public interface UserInfo {
    /** The name, such as {@code system:serviceaccount:default:deployer}; empty if there is none. */
    String username();

    /** The uid; empty if there is none. */
    String uid();

    /** The groups. */
    List<String> groups();

    /** What the authenticator knows beyond that. */
    Map<String, List<String>> extra();
}
