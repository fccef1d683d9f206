# SPDX-License-Identifier: Apache-2.0
# The operator and adj, each with the libraries it needs, and nothing else: no shell, no package
# manager. Debian's own libraries, so its security notices tell when to build again.
#
#   buildah build --build-arg BASE=debian:bookworm --timestamp "$SOURCE_DATE_EPOCH" -t adjoint .
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
ARG SOURCE_DATE_EPOCH=0
ENV SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH} DEBIAN_FRONTEND=noninteractive
RUN apt-get -qq update && \
    apt-get -qq -y --no-install-recommends install make ca-certificates >/dev/null
WORKDIR /src
COPY .ci .ci
COPY Makefile ./
RUN make deps-demo
COPY . .
RUN make CFLAGS=-ffile-prefix-map=/src=. build/release-gcc/adjoint-operator build/release-gcc/adj \
    && deploy/image/collect /image build/release-gcc/adjoint-operator build/release-gcc/adj

FROM scratch
COPY --from=build /image /
USER 65532:65532
ENTRYPOINT ["/usr/bin/adjoint-operator"]
LABEL org.opencontainers.image.title="adjoint-operator" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.description="Warm clones of golden Postgres volumes" \
      org.opencontainers.image.licenses="Apache-2.0"
