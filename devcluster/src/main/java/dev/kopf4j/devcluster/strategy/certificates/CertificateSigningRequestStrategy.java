package dev.kopf4j.devcluster.strategy.certificates;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Set;

/**
 * Requests for certificates: the endpoint {@code approval} writes conditions of the status, see
 * {@code csrApprovalStrategy} in {@code pkg/registry/certificates/certificates/strategy.go}, v1.33.
 */
final class CertificateSigningRequestStrategy implements ResourceStrategy {
    @Override
    public Set<String> resetFields(String subresource) {
        return subresource.equals("approval") ? Set.of() : Set.of("status");
    }
}
